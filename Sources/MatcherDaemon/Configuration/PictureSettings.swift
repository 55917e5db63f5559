/// Treatment of pictures of test results on the page.
package enum PictureSettings: Hashable, Sendable {
    /// They are taken, and read in bubblewrap.
    case sandbox
    /// They are taken, and read by the worker behind a Unix socket.
    case socket(path: String)
    /// No pictures are taken.
    case off
}
