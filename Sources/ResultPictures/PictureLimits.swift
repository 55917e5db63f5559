/// Limits of pictures of test results, and of pictures under the drawings of floors.
package enum PictureLimits {
    /// Maximum length of the file in bytes.
    package static let bytes = 10_000_000
    /// Maximum number of pixels, by the header.
    package static let pixels = 40_000_000
    /// Maximum width and height in pixels, by the header.
    package static let side = 20_000
    /// Maximum number of chunks of a PNG.
    static let chunks = 20_000
    /// Maximum number of segments of a JPEG.
    static let segments = 500
    /// Maximum number of scans of a JPEG: each is as much work as the whole picture.
    static let scans = 64
}
