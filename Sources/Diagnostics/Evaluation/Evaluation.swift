package import BeaconModel

/// Sums up what a receiver hears of the devices of a schedule; `result` judges it. Pure.
///
/// The definitions, for each device and each of its states:
///
/// * **Discovery (D)** holds when the first reading comes no later than the discovery limit after the device came into range. It is
///   asked of the first phase in that state, and of each later one until the device has been heard in that state.
/// * **Resume (R)** is the same in every later phase in that state: the device was heard in it, went out of range, and came back.
/// * **Tracking (T)** holds when every window of the time in range has at least one reading. Windows begin when the
///   device comes into range, not at its first reading; the last one, which may be shorter, counts if at least half
///   of it is in range. A phase of less than one window has no T.
///
/// A phase that begins at the very moment at which the one before it ends is a change of state in range: it has T only.
/// What was heard always counts; what wasn't heard only counts while the receiver is known to have listened.
package struct Evaluation: Sendable {
    package let schedule: EvaluationSchedule
    /// From which the schedule counts; `nil` until the receiver listens, in a schedule that doesn't say it.
    package private(set) var start: Timestamp?
    package private(set) var coverage = Coverage()
    package private(set) var devices: [DeviceTally] = []
    /// Advertisements of anybody.
    package private(set) var reports: UInt64 = 0

    private struct Owner {
        var device: Int
        var identity: Int
    }

    /// When the last phase is over, after the start.
    private let duration: Duration?
    private var owners: [EvaluationSchedule.Identity: Owner] = [:]

    package init(_ schedule: EvaluationSchedule) {
        self.schedule = schedule
        duration = schedule.end
        for (device, entry) in schedule.devices.enumerated() {
            for (identity, value) in entry.identities.enumerated() {
                owners[value] = Owner(device: device, identity: identity)
            }
        }
        if let start = schedule.start { begin(at: start) }
    }

    private mutating func begin(at time: Timestamp) {
        start = time
        devices = schedule.devices.map { DeviceTally($0, origin: time + schedule.firstInRange) }
    }

    /// When the schedule is over; `nil` when that isn't known.
    package var end: Timestamp? {
        guard let start, let duration else { return nil }
        return start + duration
    }

    /// The receiver listens at `time`, and has done so since the call before, unless there was a pause.
    package mutating func listen(at time: Timestamp) {
        if start == nil { begin(at: time) }
        coverage.listen(at: time)
    }

    /// Whether the receiver listens isn't known until the next `listen`; after no more than `tolerated` it has.
    package mutating func pause(tolerating tolerated: Duration = .zero) { coverage.pause(tolerating: tolerated) }

    /// One advertisement; each device counts it once, by whatever it is recognised.
    ///
    /// - Parameters:
    ///   - subject: who it says that it comes from; `nil` for whoever can't be followed.
    ///   - address: `nil` for an anonymous one.
    package mutating func observe(subject: Subject?, address: BluetoothAddress?, rssi: RSSI?, at time: Timestamp) {
        reports += 1
        if start == nil { begin(at: time) }
        let byContent =
            switch subject {
            case .beacon(let beacon): owners[.beacon(beacon)]
            case .exposureNotification(let identifier): owners[.identifier(identifier)]
            case .contactApp, .contactUser, nil: Owner?.none
            }
        let byAddress = address.flatMap { owners[.address($0)] }
        if let byContent { add(byContent, rssi, time, isAnother: true) }
        if let byAddress { add(byAddress, rssi, time, isAnother: byAddress.device != byContent?.device) }
    }

    private mutating func add(_ owner: Owner, _ rssi: RSSI?, _ time: Timestamp, isAnother: Bool) {
        guard let start else { return }
        devices[owner.device].noteHeard(identity: owner.identity)
        guard isAnother else { return }
        devices[owner.device].add(
            at: time, offset: time - start, rssi: rssi, of: schedule.devices[owner.device],
            window: schedule.requiredWindow)
    }
}
