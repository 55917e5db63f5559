package import BeaconModel

/// Running totals of the readings that a receiver has of the devices in a schedule; `result` judges them. Pure.
///
/// The definitions, for each device and each of its states:
///
/// * **Discovery (D)** holds when the first reading comes no later than the discovery limit after the device came into
///   range. It is tested in the first phase in that state, and in each later one until the device has been heard in
///   that state.
/// * **Resume (R)** is the same test in every later phase in that state: the device was heard in it, went out of range,
///   and came back.
/// * **Tracking (T)** holds when every window of the time in range has at least one reading. Windows begin when the
///   device comes into range, not at its first reading; the last one, which may be shorter, counts if at least half
///   of it is in range. A phase of less than one window has no T.
///
/// A phase that begins exactly when the previous one ends is a change of state in range: it has T only. Readings always
/// count. Missing readings count only while the receiver is known to have listened.
package struct Evaluation: Sendable {
    package let schedule: EvaluationSchedule
    /// Time from which the schedule is measured; `nil` until the receiver listens, if the schedule gives no start.
    package private(set) var start: Timestamp?
    package private(set) var coverage = Coverage()
    package private(set) var devices: [DeviceTally] = []
    /// Number of advertisements received from all devices, listed or not.
    package private(set) var reports: UInt64 = 0

    private struct Owner {
        var device: Int
        var identity: Int
    }

    /// End of the last phase, relative to the start; `nil` when a phase has no end.
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

    /// End of the schedule; `nil` when it is not known.
    package var end: Timestamp? {
        guard let start, let duration else { return nil }
        return start + duration
    }

    /// Records that the receiver listens at `time`, and has listened since the previous call unless there was a pause.
    package mutating func listen(at time: Timestamp) {
        if start == nil { begin(at: time) }
        coverage.listen(at: time)
    }

    /// Marks the listening state as unknown until the next `listen`. If that call comes within `tolerated`, the
    /// receiver counts as having listened throughout.
    package mutating func pause(tolerating tolerated: Duration = .zero) { coverage.pause(tolerating: tolerated) }

    /// Records one advertisement. Each device counts it once, even if several of its identities match.
    ///
    /// - Parameters:
    ///   - subject: subject that the advertisement names; `nil` for one that cannot be tracked.
    ///   - address: sender's address; `nil` for an anonymous advertisement.
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
