import BeaconModel
import BlueZScanner
import HCI
import SystemIO

// Scans as the gateway does and connects to the phones that it hears, for the machine with the virtual controller:
//
//   ExchangeProbe PHONES SECONDS
//
// Goes on until it has the codes of so many phones and two seconds more, but not for longer than SECONDS. Prints a line
// for each exchange ("exchange APP ADDRESS CODE|ERROR"), for each phase of one ("phase ADDRESS PHASE"), and at the end
// "reports COUNT", "reports afterwards COUNT" and "longest gap MILLISECONDS", between two reports.

/// A list of 128-bit service UUIDs that names one of the two apps.
func app(in data: Span<UInt8>) -> ContactApp? {
    var start = 0
    while start + 1 < data.count, data[start] > 0, start + Int(data[start]) < data.count {
        let length = Int(data[start])
        if length == 17, data[start + 1] == 0x06 || data[start + 1] == 0x07 {
            switch (data[start + 17], data[start + 16]) {
            case (0x8E, 0x99): return .bleProximity
            case (0xFF, 0xFF): return .c19x
            default: break
            }
        }
        start += length + 1
    }
    return nil
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2 else { fatalError("usage: ExchangeProbe PHONES SECONDS") }
let end = ContinuousClock.now + .seconds(arguments[1])
let ownCode: UInt64 = 0x1122_3344_5566_7788
let adapter = Adapter(index: 0)
let scheduler = LockedValue(
    ExchangeScheduler(
        // The kernel ends a connection after two seconds, in which a busy machine may not get far: it is tried again.
        rules: ExchangeRules(
            apps: [.bleProximity, .c19x], perMinute: 60, spacing: .seconds(1), firstBackoff: .seconds(1))))
let lines = LockedValue<[String]>([])

@Sendable func exchange(_ attempt: ExchangeAttempt) async throws {
    let peer = attempt.peer
    let result = try await ExchangeLink(adapter: attempt.adapter).exchange(with: peer, ownCode: ownCode) { phase in
        lines.withLock { $0.append("phase \(peer.address) \(phase)") }
    }
    scheduler.withLock { $0.finish(peer, result, at: WallClock.now()) }
    let outcome: String
    switch result {
    case .success(let reading): outcome = String(reading.code, radix: 16, uppercase: true)
    case .failure(let error): outcome = error.what
    }
    lines.withLock { $0.append("exchange \(peer.app.rawValue) \(peer.address) \(outcome)") }
}

let scanner = try AdapterScanner(.index(adapter))
var reports = 0
var reportsAfterwards = 0
var last: Timestamp?
var longestGap: Duration = .zero
try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
        while ContinuousClock.now < end, scheduler.withLock({ $0.counts.succeeded < arguments[0] }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await Task.sleep(for: .seconds(2))
        scanner.stop()
    }
    for try await event in try scanner.scan() {
        guard case .packets(let batch) = event else { continue }
        var mayStart = false
        let isDone = scheduler.withLock { $0.counts.succeeded >= arguments[0] && $0.countUnderWay == 0 }
        _ = batch.forEachReport { report, data in
            reports += 1
            if isDone { reportsAfterwards += 1 }
            if let last { longestGap = max(longestGap, report.time - last) }
            last = report.time
            guard let app = app(in: data), let sighting = ExchangeSighting(app, report) else { return }
            if scheduler.withLock({ $0.hear(sighting) }) { mayStart = true }
        }
        if mayStart, let attempt = scheduler.withLock({ $0.start(at: WallClock.now()) }) {
            group.addTask { try await exchange(attempt) }
        }
    }
    try await group.waitForAll()
}
for line in lines.withLock({ $0 }) { print(line) }
print("reports \(reports)")
print("reports afterwards \(reportsAfterwards)")
print("longest gap \(Int(longestGap / .milliseconds(1)))")
