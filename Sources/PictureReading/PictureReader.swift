import BeaconModel
package import ResultPictures
import SystemIO

/// Contents that were read from a picture.
package struct PictureReadout: Hashable, Sendable {
    package var header: PictureHeader
    package var codes: [PictureCode]
    package var suggestion: ResultSuggestion
    /// Whether a program failed, or ran out of time, memory or output; there may be more to read.
    package var isIncomplete: Bool

    package init(
        header: PictureHeader, codes: [PictureCode], suggestion: ResultSuggestion, isIncomplete: Bool
    ) {
        self.header = header
        self.codes = codes
        self.suggestion = suggestion
        self.isIncomplete = isIncomplete
    }

    init(_ picture: StrippedPicture, _ findings: PictureFindings) {
        self.init(
            header: picture.header, codes: findings.codes.map { PictureCode($0) }, suggestion: findings.suggestion,
            isIncomplete: findings.isIncomplete)
    }
}

/// Reads pictures of test results, one after the other: QR codes by zbarimg, text by tesseract.
package actor PictureReader {
    /// Place in which a picture is opened.
    package enum Place: Hashable, Sendable {
        /// Bubblewrap, run by this process.
        case sandbox
        /// A worker behind a Unix socket.
        case socket(path: String)
    }

    private let place: Place
    /// Maximum number of pictures that wait.
    private let mostWaiting: Int
    private let patience: Duration

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter patience: how long reading a picture may take, after those that waited before.
    package init(_ place: Place = .sandbox, mostWaiting: Int = 8, patience: Duration = .seconds(30)) {
        self.place = place
        self.mostWaiting = mostWaiting
        self.patience = patience
    }

    /// Reads a picture, after those that wait already.
    ///
    /// - Parameter latest: the latest day on which the sample can have been taken, in days since 1970.
    /// - Throws: `PictureReadingError`.
    package func read(
        _ picture: StrippedPicture, latest: Int64
    ) async throws(PictureReadingError) -> PictureReadout {
        try await begin()
        defer { end() }
        let result: Result<PictureReadout, PictureReadingError>
        do throws(SystemError) {
            result = try await DedicatedThread.run(name: "picture") { [place, patience] in
                PictureReader.result(picture, latest, place, patience)
            }
        } catch {
            throw .system(error)
        }
        return try result.get()
    }

    private func begin() async throws(PictureReadingError) {
        guard isBusy else {
            isBusy = true
            return
        }
        guard waiting.count < mostWaiting else { throw .busy }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Starts the next picture that waits, if there is one.
    private func end() {
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }

    private static func result(
        _ picture: StrippedPicture, _ latest: Int64, _ place: Place, _ patience: Duration
    ) -> Result<PictureReadout, PictureReadingError> {
        let deadline = ContinuousClock.now + patience
        do throws(PictureReadingError) {
            let findings: PictureFindings
            switch place {
            case .sandbox:
                try PictureSandbox.check()
                var work = PictureWork(picture: picture, latest: latest, in: .bubblewrap, until: deadline)
                findings = try work.findings()
            case .socket(let path):
                findings = try PictureSocket.findings(in: picture, latest: latest, at: path, until: deadline)
            }
            return .success(PictureReadout(picture, findings))
        } catch {
            return .failure(error)
        }
    }
}
