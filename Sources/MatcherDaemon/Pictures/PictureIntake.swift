import BeaconModel
import InteractionStore
import Logging
import PictureReading
import ResultPictures

/// Takes pictures of test results on the page: strips them, and has them read where that is possible.
///
/// A picture that cannot be read is kept without a suggestion. An officer looks at it anyway.
actor PictureIntake {
    /// Maximum number of pictures that wait in memory for one that is being read.
    private static let mostWaiting = 2
    /// Maximum time in which one is read, while its sender waits for the answer.
    private static let patience: Duration = .seconds(20)

    private let reader: PictureReader
    private let logger: Logger
    /// The latest reason for which a picture was not read; `nil` once one was read.
    private var obstacle: PictureReadingError?

    /// - Returns: `nil` if no pictures are taken.
    init?(_ settings: PictureSettings, logger: Logger) {
        let place: PictureReader.Place
        switch settings {
        case .sandbox: place = .sandbox
        case .socket(let path): place = .socket(path: path)
        case .off: return nil
        }
        reader = PictureReader(place, mostWaiting: Self.mostWaiting, patience: Self.patience)
        self.logger = logger
    }

    /// Strips a picture, and reads it.
    ///
    /// - Parameters:
    ///   - bytes: the file as it was sent.
    ///   - latest: the latest day on which the sample can have been taken, in days since 1970.
    /// - Returns: the stripped picture, which alone may be stored, and what was read; `nil` if it could not be read.
    /// - Throws: `PictureError` for a file that is refused; `PictureReadingError.busy` if too many pictures wait.
    func read(
        _ bytes: [UInt8], latest: Int64
    ) async throws -> (picture: StrippedPicture, readout: PictureReadout?) {
        let picture = try StrippedPicture(bytes)
        do throws(PictureReadingError) {
            let readout = try await reader.read(picture, latest: latest)
            obstacle = nil
            return (picture, readout)
        } catch {
            if error == .busy { throw error }
            note(error)
            return (picture, nil)
        }
    }

    /// Logs why no picture is read, once for each reason.
    private func note(_ error: PictureReadingError) {
        guard obstacle != error else { return }
        obstacle = error
        logger.error(
            "pictures of test results are kept without being read",
            metadata: ["because": "\(error.what)", "do": "\(error.remedy ?? "")"])
    }
}

extension SubmittedResult.PictureFacts {
    /// The facts of a picture that was taken.
    init(_ picture: StrippedPicture, _ readout: PictureReadout?) {
        self.init(
            format: picture.header.format.rawValue, width: picture.header.width, height: picture.header.height,
            byteCount: picture.bytes.count,
            read: readout.map { readout in
                SubmittedResult.ReadOff(
                    outcome: readout.suggestion.outcome?.rawValue, testDay: readout.suggestion.testDay,
                    orderNumber: readout.suggestion.orderNumber?.text, codes: readout.codes.map(\.text))
            })
    }
}
