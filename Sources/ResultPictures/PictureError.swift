package import BeaconModel

/// A file that is not accepted as a picture.
package struct PictureError: OperatorError, Hashable {
    package enum Reason: Hashable, Sendable {
        case empty
        case tooLong
        /// Another format, by its name; `nil` if it is not recognised.
        case otherFormat(String?)
        case tooLarge(width: Int, height: Int)
        /// It ends before the picture does.
        case truncated
        /// Bytes follow the end of the picture.
        case trailingBytes(Int)
        /// A mistake in the structure, with the byte at which it is.
        case damaged(String, at: Int)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    package var what: String {
        switch reason {
        case .empty: "the file is empty"
        case .tooLong: "the file is larger than \(PictureLimits.bytes / 1_000_000) MB"
        case .otherFormat(let name?): "the file is \(name), and not a PNG or JPEG picture"
        case .otherFormat(nil): "the file is not a PNG or JPEG picture"
        case .tooLarge(let width, let height):
            "the picture has \(width) x \(height) pixels; at most \(PictureLimits.pixels / 1_000_000) million, and "
                + "\(PictureLimits.side) in one direction, are allowed"
        case .truncated: "the file ends before the picture does"
        case .trailingBytes(let count):
            "\(count) \(count == 1 ? "byte follows" : "bytes follow") the end of the picture"
        case .damaged(let mistake, let offset): "the picture is damaged at byte \(offset): \(mistake)"
        }
    }

    package var meaning: String? { "the picture was refused; nothing was read from it" }

    package var remedy: String? {
        switch reason {
        case .trailingBytes: "use a screenshot of the picture: some cameras append videos or other data to photos"
        case .tooLarge, .tooLong: "use a smaller picture"
        default: "use a photo or a screenshot of the result, as a PNG or JPEG file"
        }
    }

    package var exitStatus: ExitStatus { .data }
}
