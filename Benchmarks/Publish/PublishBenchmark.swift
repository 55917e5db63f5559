import BeaconModel
import Publishing
import RecordOutbox
import SystemIO

/// How fast records go to a broker on loopback, beside bare libmosquitto with the same payloads and window.
@main
struct PublishBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count), let port = UInt16(arguments[1]) else {
            print("usage: PublishBenchmark PORT DIRECTORY [bare|memory|disk|wear]")
            throw Usage()
        }
        let bench = Bench(port: port, directory: arguments[2])
        // One alone, for a profiler.
        if arguments.count == 4 { try await bench.run(only: arguments[3]) } else { try await bench.run() }
    }

    struct Usage: Error {}
}

struct Bench {
    var port: UInt16
    var directory: String

    private static let window = 100
    private static let rounds = 9
    private static let messages = 60_000

    func run() async throws {
        let records = SampleRecords(count: 1000)
        let bytes = records.messages.map(\.payload.count).reduce(0, +) / records.messages.count
        print(
            "MQTT 5, QoS 1, window \(Self.window), \(Self.messages) records of \(bytes) bytes on \(records.topics) topics,"
        )
        print("median of \(Self.rounds) rounds; in each round all, one after the other\n")
        var bare: [Run] = []
        var memory: [Run] = []
        var disk: [Run] = []
        for round in 1...Self.rounds {
            Progress.say("round \(round) of \(Self.rounds)")
            bare.append(try Run.bare(records, total: Self.messages, window: Self.window, port: port))
            memory.append(try await ours(records, path: nil, round))
            disk.append(try await ours(records, path: "\(directory)/outbox-\(round).db", round))
        }
        Progress.say(nil)
        let rows = [
            ("bare libmosquitto (C)", Run.median(bare), 1),
            ("without outbox on disk", Run.median(memory), ratio(memory, bare)),
            ("with outbox on disk", Run.median(disk), ratio(disk, bare)),
        ]
        print("publisher                records/s   of bare   CPU us/record   written/record")
        for (name, run, ratio) in rows {
            print(
                Text.pad(name, 22), Text.pad(Text.number(run.rate, 0), -11),
                Text.pad(Text.number(ratio, 2), -9),
                Text.pad(Text.number(run.processorMicroseconds, 1), -15),
                Text.pad(run.writtenBytes > 0 ? Text.number(run.writtenBytes, 0) + " B" : "-", -16))
        }
        print()
        let latencies = try await latencies(records)
        let wear = try await wear(records)
        let single = try await singleCommits(records)
        let waiting = try await memoryOfWaiting(records)
        print("\none record a transaction: \(Text.number(single, 0)) B written for each")
        print("100,000 records that wait: \(Text.number(waiting, 0)) B of memory for each\n")
        figure("publish_bare_per_second", rows[0].1.rate, 0)
        figure("publish_without_outbox_per_second", rows[1].1.rate, 0)
        figure("publish_with_outbox_per_second", rows[2].1.rate, 0)
        figure("publish_without_outbox_ratio", rows[1].2, 3)
        figure("publish_with_outbox_ratio", rows[2].2, 3)
        figure("outbox_written_bytes_per_record", rows[2].1.writtenBytes, 0)
        figure("outbox_written_bytes_per_single_record", single, 0)
        for wear in wear { figure("outbox_written_bytes_at_240_delay_\(wear.delay)s", wear.writtenBytes, 0) }
        figure("outbox_memory_bytes_per_waiting_record", waiting, 0)
        for latency in latencies {
            figure("latency_p50_ms_at_\(latency.rate)", latency.median, 3)
            figure("latency_p99_ms_at_\(latency.rate)", latency.worst, 3)
        }
        figure("peak_memory_mb", Double(Process.peakMemory) / 1e6, 1)
    }

    /// The median of the rounds' own ratios: a machine that is slower for a while is so for both.
    private func ratio(_ runs: [Run], _ bare: [Run]) -> Double {
        zip(runs, bare).map { $0.rate / $1.rate }.sorted()[runs.count / 2]
    }

    func run(only name: String) async throws {
        let records = SampleRecords(count: 1000)
        if name == "wear" {
            _ = try await wear(records)
            return
        }
        for round in 1...Self.rounds {
            let run =
                switch name {
                case "bare": try Run.bare(records, total: Self.messages, window: Self.window, port: port)
                case "memory": try await ours(records, path: nil, round)
                default: try await ours(records, path: "\(directory)/outbox-\(round).db", round)
                }
            print(
                "\(name): \(Text.number(run.rate, 0)) records/s, \(Text.number(run.processorMicroseconds, 1)) us of CPU each"
            )
        }
    }

    private func ours(_ records: SampleRecords, path: String?, _ round: Int) async throws -> Run {
        try await Run.ours(records, total: Self.messages, window: Self.window, port: port, path: path)
    }

    private func latencies(_ records: SampleRecords) async throws -> [Latency] {
        print("from sighting to acknowledgement   p50 ms   p99 ms")
        var all: [Latency] = []
        for rate in [100, 1000] {
            Progress.say("latency at \(rate) records a second")
            let latency = try await Latency.measure(
                rate: rate, seconds: 10, port: port, path: "\(directory)/latency-\(rate).db")
            Progress.say(nil)
            print(
                Text.pad("\(rate) records/s, outbox on disk", 33), Text.pad(Text.number(latency.median, 2), -8),
                Text.pad(Text.number(latency.worst, 2), -8))
            all.append(latency)
        }
        return all
    }

    private func wear(_ records: SampleRecords) async throws -> [Wear] {
        print("\n240 records/s                     written/record")
        var all: [Wear] = []
        for delay in [0, 1] {
            Progress.say("what is written with a delay of \(delay) s")
            let wear = try await Wear.measure(
                delay: delay, rate: 240, seconds: 30, records, port: port, path: "\(directory)/wear-\(delay).db")
            Progress.say(nil)
            print(
                Text.pad("outbox.write-delay = \"\(delay)s\"", 30),
                Text.pad(Text.number(wear.writtenBytes, 0) + " B", -19))
            all.append(wear)
        }
        return all
    }

    /// Bytes that reach the disk for a record in a transaction of its own, and for its deletion with others.
    private func singleCommits(_ records: SampleRecords) async throws -> Double {
        Progress.say("transactions of one record")
        defer { Progress.say(nil) }
        let outbox = try await Outbox.open("\(directory)/single.db", rules: OutboxRules(), now: .now())
        await outbox.setOnline(true)
        let before = Process.writtenBytes
        let count = 500
        for index in 0..<count {
            await outbox.append([records.record(index)], at: .now())
            let offer = await outbox.next(10, now: .now)
            await outbox.acknowledge(offer.entries.map(\.id), at: .now())
        }
        await outbox.close()
        return Double(Process.writtenBytes - before) / Double(count)
    }

    private func memoryOfWaiting(_ records: SampleRecords) async throws -> Double {
        Progress.say("100,000 records that wait")
        defer { Progress.say(nil) }
        let outbox = try await Outbox.open(
            "\(directory)/waiting.db", rules: OutboxRules(bytes: 1_000_000_000), now: .now())
        let count = 100_000
        let before = Process.memory
        for start in stride(from: 0, to: count, by: 100) {
            await outbox.append((start..<start + 100).map { records.record($0) }, at: .now())
        }
        let bytes = Double(max(0, Process.memory - before)) / Double(count)
        await outbox.close()
        return bytes
    }

    private func figure(_ name: String, _ value: Double, _ digits: Int) {
        print("\(name): \(Text.number(value, digits))")
    }
}
