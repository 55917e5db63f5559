package import ModuleDialogues
package import SystemIO

extension SerialPort {
    /// How long a port may be away: that of a module with a USB interface of its own goes with every reset.
    private static let longestAbsence: Duration = .seconds(4)

    /// Opens a port that went away, once it is back.
    ///
    /// - Parameter isClosed: whether nobody wants the port any more; asked each time that `wakeup` was woken.
    /// - Returns: `nil` when the port stays away, or nobody wants it.
    package static func reopen(
        _ path: String, wakeup: WakeupPipe, isClosed: () -> Bool
    ) throws(SerialPortError) -> SerialPort? {
        let end = ContinuousClock.now + longestAbsence
        while ContinuousClock.now < end {
            // Nothing to wait for but the time: the name of the port comes back with its device.
            guard let woken = try? waitUntilReady(-1, for: [], wakeup: wakeup, timeout: .milliseconds(200)).woken
            else { return nil }
            if woken {
                wakeup.drain()
                if isClosed() { return nil }
            }
            do throws(SerialPortError) {
                return try SerialPort.open(path)
            } catch {
                switch error {
                case .notFound, .vanished, .busy: continue
                default: throw error
                }
            }
        }
        return nil
    }
}
