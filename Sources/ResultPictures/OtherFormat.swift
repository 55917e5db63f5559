/// Formats that people take for pictures of results, and that are refused.
enum OtherFormat {
    private static let beginnings: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF-".utf8), "a PDF document"), (Array("GIF8".utf8), "a GIF picture"),
        (Array("II*\0".utf8), "a TIFF picture"), (Array("MM\0*".utf8), "a TIFF picture"),
        (Array("BM".utf8), "a BMP picture"), (Array("PK".utf8), "a ZIP archive or an office document"),
        ([0xFF, 0x0A], "a JPEG XL picture"), ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], "a JPEG XL picture"),
        ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "a JPEG 2000 picture"),
    ]

    /// Names the format of a file; `nil` if it is not recognised.
    static func name(of bytes: [UInt8]) -> String? {
        if let known = beginnings.first(where: { bytes.starts(with: $0.bytes) }) { return known.name }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return "a WebP picture" }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
            let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
            if ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"].contains(brand) { return "a HEIC picture" }
            return brand.hasPrefix("avi") ? "an AVIF picture" : "a video"
        }
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        if start.contains("<svg") { return "an SVG drawing" }
        if start.contains("<html") || start.contains("<!doctype html") { return "a web page" }
        return nil
    }
}
