import BeaconModel
import ModuleEmulator
import Testing

@Suite("While it scans, a module") struct ScanVariationTests {
    private typealias Options = RS9116Emulator.Options

    private static let scan = "at+rsibt_scan=1,0,0,0,160,40"
    private static let stopScan = "at+rsibt_scan=0,0,0,0,160,40"

    /// It advertises.
    private static func module(_ change: (inout Options) -> Void) -> Bench {
        var bench = Bench.withBluetooth(change)
        _ = bench.command(Transcript.start)
        return bench
    }

    @Test("advertises as well, unless it is one that doesn't")
    func both() {
        var bench = Self.module { _ in }
        #expect(bench.command(Self.scan) == "OK\r\n")
        #expect(bench.emulator.air.advertising)
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 3\r\n")
    }

    @Test("may have ended its advertising, and its scan when it is told to advertise again")
    func endsAdvertising() {
        var bench = Self.module { $0.scanning = .endsAdvertising }
        #expect(bench.command(Self.scan) == "OK\r\n")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command(Transcript.start) == "OK\r\n")
        #expect(bench.emulator.air.advertising)
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 1\r\n")
    }

    @Test("may be silent on the air until it is told to stop scanning, and say so only by its state")
    func silences() {
        var bench = Self.module { $0.scanning = .silencesAdvertising }
        #expect(bench.command(Self.scan) == "OK\r\n")
        #expect(!bench.emulator.air.advertising)
        #expect(bench.command(Transcript.start) == "ERROR 4E0C\r\n")
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 2\r\n")
        #expect(bench.command(Self.stopScan) == "OK\r\n")
        #expect(bench.emulator.air.advertising)
    }

    @Test("may take one of the two only")
    func refuses() {
        var bench = Self.module { $0.scanning = .refusedWhileAdvertising }
        #expect(bench.command(Self.scan) == "ERROR 4E0C\r\n")
        #expect(bench.command(Transcript.stop) == "OK\r\n")
        #expect(bench.command(Self.scan) == "OK\r\n")
        #expect(bench.command(Transcript.start) == "ERROR 4E0C\r\n")
        #expect(!bench.emulator.air.advertising)
        var deaf = Self.module { $0.scanning = .refused(0x4FF8) }
        #expect(deaf.command(Self.scan) == "ERROR 4FF8\r\n")
    }

    @Test("refuses a second start, or takes it")
    func doubleScan() {
        var bench = Self.module { _ in }
        #expect(bench.command(Self.scan) + bench.command(Self.scan) == "OK\r\nERROR 4E0C\r\n")
        bench = Self.module { $0.doubleScan = .accepted }
        #expect(bench.command(Self.scan) + bench.command(Self.scan) == "OK\r\nOK\r\n")
    }

    @Test("may stop by itself without a word, and only the scan that was on")
    func endsByItself() {
        var bench = Self.module { $0.scanEndsAfter = .seconds(20) }
        _ = bench.command(Self.scan)
        let first = bench.scheduled.map(\.timer)
        #expect(bench.scheduled.map(\.delay) == [.seconds(20)])
        _ = bench.command(Self.stopScan) + bench.command(Self.scan)
        for timer in first { #expect(bench.fire(timer) == "") }
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 3\r\n")
        #expect(bench.settle() == "")
        #expect(bench.command("at+rsibt_getdevstate?") == "OK 1\r\n")
    }

    @Test("reports a crowd, each a device of its own, some of which don't say who they are, until it stops")
    func crowd() {
        var bench = Self.module {
            $0.crowd = 90
            $0.anonymousReportPeriod = 3
        }
        _ = bench.command(Self.scan)
        #expect(bench.scheduled.map(\.delay) == [.microseconds(11_111)])
        var reports: [String] = []
        for _ in 0..<6 {
            let timer = bench.scheduled[0].timer
            bench.forgetTimers()
            reports.append(bench.fire(timer))
        }
        #expect(Set(reports).count == 6)
        #expect(reports.allSatisfy { $0.hasPrefix("AT+RSIBT_ADVRTISE,addr_type:") && $0.hasSuffix("\r\n") })
        let anonymous = "addr_type:FF,addr:00-00-00-00-00-00,"
        #expect(reports.map { $0.contains(anonymous) } == [false, false, true, false, false, true])
        _ = bench.command(Self.stopScan)
        #expect(bench.settle() == "")
    }

    @Test("may cut reports short, or say another length than is there")
    func damage() {
        var bench = Self.module {
            $0.crowd = 10
            $0.truncatedReportPeriod = 3
            $0.malformedReportPeriod = 2
        }
        _ = bench.command(Self.scan)
        var reports: [String] = []
        for _ in 0..<6 {
            let timer = bench.scheduled[0].timer
            bench.forgetTimers()
            reports.append(bench.fire(timer))
        }
        #expect(reports.map { $0.hasSuffix("\r\n") } == [true, true, false, true, true, false])
        #expect(
            reports.map { $0.contains("adv_data_len:1F,") } == [
                false, true, false, true, false, reports[5].contains("1F,"),
            ])
    }

    @Test("may say a report in the middle of a reply; never when it doesn't scan")
    func withinReplies() {
        var bench = Self.module { $0.reportsWithinReplies = true }
        #expect(bench.command("at+rsibt_getlocalbdaddr?") == "OK 88-DA-1A-E8-06-6F\r\n")
        let reply = bench.command(Self.scan)
        let report =
            "AT+RSIBT_ADVRTISE,addr_type:1,addr:47-AC-F8-C0-C1-D8,RSSI:-63,Type:0,adv_data_len:A,"
            + "adv_data:2,1,1A,6,9,48,65,6C,6C,6F\r\n"
        #expect(reply.replacing(report, with: "") == "OK\r\n")
        #expect(reply != "OK\r\n")
    }

    @Test("loses what the line can't carry")
    func narrowLine() {
        var bench = Self.module {
            $0.crowd = 1000
            $0.pacedPiece = 64
        }
        _ = bench.command(Self.scan)
        for _ in 0..<500 {
            // No piece leaves the line.
            guard let report = bench.scheduled.last(where: { $0.delay == .microseconds(1000) }) else { break }
            _ = bench.fire(report.timer)
        }
        _ = bench.command(Self.stopScan)
        let sent = bench.settle()
        #expect((3500..<5000).contains(sent.utf8.count))
        #expect(sent.hasSuffix("OK\r\n"))
    }
}
