import Testing

@testable import VirtualController

/// How a scenario's lines become transmissions.
@Suite struct ScenarioTests {
    private func scenario(rssi: String, count: Int = 1000, loss: String = "") throws -> Scenario {
        try Scenario(text: "100 C0:11:22:33:44:01 1 3 \(rssi) 020106 \(count) 1000 \(loss)")
    }

    @Test("A line of eight fields is on the air exactly so often, when and as loud as it says")
    func plain() throws {
        let transmissions = try scenario(rssi: "-60", count: 3).transmissions
        #expect(transmissions.map(\.milliseconds) == [100, 1100, 2100])
        #expect(transmissions.map(\.rssi) == [-60, -60, -60])
    }

    @Test("An RSSI from one to another goes evenly from the first repetition to the last")
    func ramp() throws {
        #expect(try scenario(rssi: "-80:-60", count: 5).transmissions.map(\.rssi) == [-80, -75, -70, -65, -60])
        #expect(try scenario(rssi: "-80:-60", count: 1).transmissions.map(\.rssi) == [-80])
    }

    @Test("Noise has the standard deviation that it says, and is the same each time")
    func noise() throws {
        let rssi = try scenario(rssi: "-60~4").transmissions.map(\.rssi)
        #expect(try scenario(rssi: "-60~4").transmissions.map(\.rssi) == rssi)
        let mean = rssi.map(Double.init).reduce(0, +) / 1000
        let variance = rssi.map { (Double($0) - mean) * (Double($0) - mean) }.reduce(0, +) / 1000
        #expect(abs(mean + 60) < 0.5)
        #expect(abs(variance.squareRoot() - 4) < 0.4)
    }

    @Test("Noise doesn't leave what can be an RSSI", arguments: ["-127~20", "20~20"])
    func limits(rssi: String) throws {
        #expect(try scenario(rssi: rssi).transmissions.allSatisfy { (-127...20).contains($0.rssi) })
    }

    @Test("So many are lost as it says, and those that come have a delay of up to 10 ms after each period")
    func loss() throws {
        let all = try scenario(rssi: "-60", loss: "0%").transmissions.map(\.milliseconds)
        #expect(all.count == 1000)
        let gaps = zip(all.dropFirst(), all).map { $0 - $1 }
        #expect(gaps.min() == 1000)
        #expect(gaps.max() == 1010)
        let heard = try scenario(rssi: "-60", loss: "70%").transmissions.count
        #expect((250...350).contains(heard), "\(heard)")
    }

    @Test("An RSSI that isn't known is 127")
    func unknown() throws {
        #expect(try scenario(rssi: "127", count: 2).transmissions.map(\.rssi) == [127, 127])
    }

    @Test(
        "A line that is wrong is refused",
        arguments: [
            ("21", ""), ("-128", ""), ("127:20", ""), ("127~4", ""), ("-60:", ""), ("-60~", ""), ("-60~21", ""),
            ("-60:-50:-40", ""), ("", "50%"), ("-60", "50"), ("-60", "100%"), ("-60", "-1%"), ("-60", "50% 1"),
        ])
    func wrong(rssi: String, loss: String) {
        do {
            _ = try scenario(rssi: rssi, loss: loss)
            Issue.record("\(rssi) \(loss) was accepted")
        } catch let failure as Scenario.Failure {
            #expect(failure.line == 1)
        } catch {
            Issue.record("\(error)")
        }
    }
}
