package import BeaconModel
package import HCI

/// A way to receive advertisements through one adapter. Used on the scanning thread; opened by its initializer and
/// closed when released.
package protocol ScanPath: AnyObject {
    /// Descriptors to poll: advertisements and adapter events.
    var descriptors: [CInt] { get }

    /// Starts scanning: continuously, passively if possible, with every advertisement reported.
    func start() throws(ScannerError) -> ScanMode

    /// Returns the received packets, at most `limit`, without waiting.
    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch

    /// Number of packets dropped before they could be received, since the path was opened.
    var drops: UInt32 { get }

    /// Returns the actions of other programs and the changes to the adapter since the last call.
    func notices() throws(ScannerError) -> [RadioSupervisor.Input]

    /// Checks that the controller answers and scans. Throws an error when it does not.
    func ask() throws(ScannerError)

    /// Makes the controller scan again after possible interference by other programs.
    ///
    /// - Parameter gently: whether to keep another program's scan as it is, except for its duplicate filter.
    func rearm(gently: Bool) throws(ScannerError)

    /// Restores the controller to the state in which it was found.
    func stop() throws(ScannerError)
}

extension ScanPathKind {
    package func open(_ adapter: Adapter) throws(ScannerError) -> any ScanPath {
        switch self {
        case .raw: try RawPath(adapter)
        case .userChannel: try UserChannelPath(adapter)
        case .monitor: try MonitorPath(adapter)
        case .dbus: try DBusPath(adapter)
        }
    }
}
