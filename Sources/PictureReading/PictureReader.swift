import BeaconModel
package import ResultPictures
import SystemIO

/// What was read from a picture.
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
}

/// Reads pictures of test results, one after the other: QR codes by zbarimg, text by tesseract.
package actor PictureReader {
    /// Maximum number of pictures that wait.
    private static let mostWaiting = 8

    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Reads a picture, after those that wait already. It takes at most 30 s.
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
            result = try await DedicatedThread.run(name: "picture") { PictureReader.result(picture, latest) }
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
        guard waiting.count < Self.mostWaiting else { throw .busy }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next picture in, or none.
    private func end() {
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().resume()
        }
    }

    private static func result(
        _ picture: StrippedPicture, _ latest: Int64
    ) -> Result<PictureReadout, PictureReadingError> {
        do throws(PictureReadingError) {
            try PictureSandbox.check()
            var work = PictureWork(picture: picture, latest: latest)
            return .success(try work.readout())
        } catch {
            return .failure(error)
        }
    }
}
