/// A subject that can be tracked, identified by what it advertises.
public enum Subject: Hashable, Comparable, Sendable {
    /// An iBeacon or an AltBeacon; a device that sends both formats is one subject.
    case beacon(BeaconID)
    /// A phone with Exposure Notification.
    case exposureNotification(RollingProximityIdentifier)
    /// A phone whose app states no more than its name, identified by its address, which changes about every 15 minutes
    /// (Bluetooth Core Specification 5.4, Vol 3, Part C, Appendix A: T_GAP(private_addr_int)).
    case contactApp(ContactApp, BluetoothAddress)
    /// A phone identified by the code that its app advertises or gives to a client that connects.
    case contactUser(ContactApp, UInt64)
}
