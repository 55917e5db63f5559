import ResultPictures

/// Pictures of test results: what is accepted is within the limits, and has nothing more to strip once it is stripped.
enum PictureCheck: ParserCheck {
    static let name = "picture"

    /// An Exif segment with an orientation only.
    private static let longestAddition = 36

    static func violation(for bytes: [UInt8]) -> String? {
        let picture: StrippedPicture
        do throws(PictureError) {
            picture = try StrippedPicture(bytes)
        } catch {
            return error.what.isEmpty ? "an error without a text" : nil
        }
        let header = picture.header
        guard header.width > 0, header.height > 0, header.width <= PictureLimits.side,
            header.width * header.height <= PictureLimits.pixels, (1...8).contains(header.orientation)
        else { return "a header outside of the limits" }
        guard (try? PictureHeader.read(bytes)) == header else { return "another header" }
        guard (try? StrippedPicture(picture.bytes)) == picture else { return "stripping it again changes it" }
        return picture.bytes.count > bytes.count + longestAddition ? "stripping makes it longer" : nil
    }
}
