import Testing

@testable import AccuracyBenchmark

@Suite("Cleaning and windows")
struct WindowTests {
    @Test("A window ends after ten seconds, at another place, and where time goes back")
    func cut() {
        var cutter = WindowCutter<String>()
        var windows: [[Double]] = []
        for (time, place) in [(100.0, "a"), (109.9, "a"), (110, "a"), (111, "b"), (135, "b"), (130, "b")] {
            if let window = cutter.take(Packet(time: time, rssi: -60), at: place) {
                windows.append(window.packets.map(\.time))
            }
        }
        if let window = cutter.finish() { windows.append(window.packets.map(\.time)) }
        #expect(windows == [[100, 109.9], [110], [111], [135], [130]])
        #expect(cutter.finish() == nil)
    }

    @Test("What says nothing and what was called back twice is dropped")
    func clean() {
        var cleaner = RSSICleaner()
        let packets = [(0.0, -60.0), (0.002, -60), (0.003, -61), (1, 127), (2, 0), (3, -111), (4, -61)]
        let kept = packets.filter { cleaner.accepts(Packet(time: $0.0, rssi: $0.1)) }
        #expect(kept.map(\.0) == [0, 0.003, 4])
        #expect(cleaner.dropped == 4)
    }

    @Test("An estimator isn't given the truth")
    func blind() {
        let window = DistanceWindow(
            dataSet: "s", group: "g", run: "r", link: .phone,
            packets: [Packet(time: 0, rssi: -60), Packet(time: 1, rssi: -70)], metres: 2, isWithinThreeMetres: true)
        #expect(window.medianRSSI == -65)
        #expect(window.blind.metres.isNaN)
        #expect(window.blind.isWithinThreeMetres == nil)
    }

    @Test("Every group is left out once, and what is fitted never sees it")
    func folds() {
        let (folds, isHonest) = LeaveOneGroupOut.folds(["b", "a", "b", "c"])
        #expect(isHonest)
        #expect(folds.map(\.held) == [[1], [0, 2], [3]])
        #expect(folds.map(\.training) == [[0, 2, 3], [1, 3], [0, 1, 2]])
        #expect(!LeaveOneGroupOut.folds(["a", "a"]).isHonest)
    }
}
