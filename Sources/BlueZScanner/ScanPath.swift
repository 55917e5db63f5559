package import BeaconModel
package import HCI

/// One way to hear what one adapter hears. Lives on the scanning thread, opened when it is made and closed with it.
package protocol ScanPath: AnyObject {
    /// What `poll` has to wait for: advertisements, and what others do with the adapter.
    var descriptors: [CInt] { get }

    /// Has the controller scan: all the time, passively if it can be had, with every advertisement reported.
    func start() throws(ScannerError) -> ScanMode

    /// Takes what has come, at most `limit` packets, without waiting.
    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch

    /// Packets that were dropped before they could be received, since it was opened.
    var drops: UInt32 { get }

    /// What others did, and what became of the adapter, since it was last asked.
    func notices() throws(ScannerError) -> [RadioSupervisor.Input]

    /// Asks whether the controller answers and scans; an error says that it doesn't.
    func ask() throws(ScannerError)

    /// Has the controller scan although others may have changed that.
    ///
    /// - Parameter gently: leaves a scan of another program as it is, but for its duplicate filter.
    func rearm(gently: Bool) throws(ScannerError)

    /// Leaves the controller as it was found.
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
