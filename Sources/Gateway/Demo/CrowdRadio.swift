import Advertisement
import ArgumentParser
import BeaconModel
import BlueZScanner
import CLinux
import GatewayDaemon
import Glibc
import HCI
import SystemIO

/// Simulated radio for benchmarks: badges that advertise ten times a second each. Its thread wakes up for every batch,
/// as an adapter's thread does.
struct CrowdRadio: RadioSource {
    let name = "a simulated crowd"
    /// Reports per second.
    var rate: Int
    /// Reports per batch.
    var batch: Int
    /// What happens to the radio after a second; `nil`: nothing.
    var fault: Fault?
    private let wakeup: WakeupPipe
    private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
    private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    enum Fault: String, ExpressibleByArgument {
        /// The controller answers no command, and all steps against that were tried.
        case notAnswering = "not-answering"
        /// The adapter is blocked by rfkill.
        case blocked
    }

    /// Creates a radio.
    ///
    /// - Throws: `SystemError` when the process has no file descriptors left.
    init(rate: Int, batch: Int, fault: Fault? = nil) throws(SystemError) {
        self.rate = rate
        self.batch = batch
        self.fault = fault
        wakeup = try WakeupPipe()
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    func events() throws -> AsyncThrowingStream<AdapterScanner.Event, any Error> {
        try DedicatedThread.start(name: "crowd") { [rate, batch, fault, wakeup, continuation] in
            var state = RadioState(adapter: Adapter(index: 0), path: .raw)
            state.mode = .legacy
            state.condition = .hearing
            continuation.yield(.state(state))
            let packets = Self.packets(max(1, rate / 10))
            var sent = 0
            let start = ContinuousClock.now
            while true {
                let due = start + .nanoseconds(1_000_000_000 / Int64(rate) * Int64(sent + batch))
                guard !Self.isWoken(wakeup, until: due) else { break }
                if let fault, ContinuousClock.now - start >= .seconds(1) {
                    continuation.yield(.state(fault.state(after: state)))
                    while !Self.isWoken(wakeup, until: .now + .milliseconds(100)) {}
                    break
                }
                var next = HCIPacketBatch()
                let now = WallClock.now()
                for _ in 0..<batch {
                    next.append(packets[sent % packets.count], time: now, adapter: Adapter(index: 0))
                    sent += 1
                }
                continuation.yield(.packets(next))
            }
            continuation.finish()
        }
        return stream
    }

    /// Does nothing: a simulated radio always receives.
    func suspect(isCertain: Bool) {}

    func rescan() {}

    func stop() { wakeup.wake() }

    func abandon() { continuation.finish() }

    private static func isWoken(_ wakeup: WakeupPipe, until due: ContinuousClock.Instant) -> Bool {
        let rest = max(.zero, due - ContinuousClock.now).components
        // `poll` counts in milliseconds, and several reports can be due in each.
        var time = timespec(tv_sec: Int(rest.seconds), tv_nsec: Int(rest.attoseconds / 1_000_000_000))
        nanosleep(&time, nil)
        var readiness = pollfd(fd: wakeup.readEnd, events: Int16(POLLIN), revents: 0)
        return poll(&readiness, 1, 0) > 0
    }

    /// Returns one LE Advertising Report event for each badge (Bluetooth Core Specification 5.4, Vol 4, Part E,
    /// 7.7.65.2).
    private static func packets(_ count: Int) -> [[UInt8]] {
        (0..<count).map { number in
            let badge = BeaconID(
                uuid: ProximityUUID(DemoBuilding.badgeUUID) ?? ProximityUUID(bits: 0), major: 9,
                minor: UInt16(truncatingIfNeeded: number))
            let data = IBeacon.advertisingData(badge, measuredPower: -59)
            let address = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), 0, 0, 0, 0xC0]
            let report = [0x03, 0x01] + address + [UInt8(data.count)] + data + [0xC0]
            return [0x04, 0x3E, UInt8(report.count + 2), 0x02, 0x01] + report
        }
    }
}

extension CrowdRadio.Fault {
    /// Returns the state that the radio reports.
    fileprivate func state(after state: RadioState) -> RadioState {
        var state = state
        state.condition = .deaf
        switch self {
        case .notAnswering:
            state.reason = .notAnswering
            state.error = .notAnswering(state.adapter, command: "LE Set Scan Enable")
            state.steps[.giveUp] = 1
        case .blocked:
            state.reason = .blocked
            state.error = .blocked(state.adapter)
        }
        return state
    }
}
