package import ModuleDialogues
package import SystemIO

extension SerialPort {
    /// Maximum time that a port may be absent. The USB interface of some modules disappears with every reset.
    private static let longestAbsence: Duration = .seconds(4)

    /// Reopens a port that disappeared, once it is back.
    ///
    /// - Parameter isClosed: whether the port is no longer wanted; called each time `wakeup` was woken.
    /// - Returns: `nil` when the port stays absent or is no longer wanted.
    package static func reopen(
        _ path: String, wakeup: WakeupPipe, isClosed: () -> Bool
    ) throws(SerialPortError) -> SerialPort? {
        let end = ContinuousClock.now + longestAbsence
        while ContinuousClock.now < end {
            // The port's name comes back with its device, so there is nothing to wait for but time.
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
