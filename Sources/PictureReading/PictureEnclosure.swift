/// Environment in which programs open a picture.
enum PictureEnclosure {
    /// A sandbox that this process creates for each program.
    case bubblewrap
    /// Beside this process, which is confined by its unit.
    case unit

    /// Path under which a program finds the picture.
    var picture: String {
        switch self {
        case .bubblewrap: PictureSandbox.picture
        case .unit: "/proc/self/fd/\(SandboxedProgram.pictureDescriptor)"
        }
    }

    /// Name under which zbarimg finds it. ImageMagick, which it uses, has a policy that can forbid the path of a
    /// descriptor.
    var pictureForImageMagick: String {
        switch self {
        case .bubblewrap: picture
        case .unit: "fd:\(SandboxedProgram.pictureDescriptor)"
        }
    }

    /// Runs a program on a picture, and waits for it. It is killed at the deadline.
    ///
    /// - Parameter limit: length in bytes of the output at which the program is killed.
    /// - Throws: `PictureReadingError` if the program cannot be started.
    func run(
        _ command: [String], on bytes: [UInt8], limit: Int, until deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> SandboxedOutput {
        switch self {
        case .bubblewrap:
            return try PictureSandbox.run(command, on: bytes, limit: limit, until: deadline)
        case .unit:
            return try PictureSandbox.run(
                PictureWorker.arguments(command, seconds: PictureSandbox.seconds(until: deadline)), on: bytes, false,
                limit, deadline)
        }
    }
}
