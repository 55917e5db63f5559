import Testing

@testable import AccuracyBenchmark

@Suite("Contacts")
struct ContactTests {
    @Test("A distance is interpolated over a short gap of somebody who moves, and over a longer one of who sits")
    func interpolation() {
        let truth = ContactTruth(
            recording([(0, 0, 1, 1), (20, 1, 0, 5), (120, 0, 1, 9), (440, 0, 1, 9.2), (800, 0, 1, 9)]))
        #expect(truth.metres(0, 1, at: 10) == 3)
        #expect(truth.metres(1, 0, at: 20) == 5)
        #expect(truth.metres(0, 1, at: 70) == nil)
        #expect(abs((truth.metres(0, 1, at: 280) ?? 0) - 9.1) < 1e-5)
        #expect(truth.metres(0, 1, at: 600) == nil)
        #expect(truth.metres(0, 1, at: -1) == nil && truth.metres(0, 1, at: 9999) == nil)
    }

    @Test("Where no packet says it, third people tell who is certainly near and who is certainly far")
    func triangle() {
        // 0 and 1 are 1 m and 0.4 m from 2; 3 is 9 m from 2.
        let truth = ContactTruth(recording([(0, 0, 2, 1), (0, 1, 2, 0.4), (0, 3, 2, 9)]))
        #expect(truth.isWithin(0, 1, at: 0) == [true, true, true, true])
        #expect(truth.isWithin(0, 3, at: 0) == [false, false, false, false])
        #expect(truth.isWithin(0, 2, at: 0) == [true, true, true, true])
        #expect(ContactTruth(recording([(0, 0, 1, 1)])).isWithin(2, 3, at: 0) == [nil, nil, nil, nil])
        // Between 0.6 m and 3.4 m: nothing is certain about 1.5, 2 and 3 m.
        let vague = ContactTruth(recording([(0, 0, 2, 2), (0, 1, 2, 1.4)]))
        #expect(vague.isWithin(0, 1, at: 0) == [nil, nil, nil, true])
    }

    @Test("Pairs that didn't hear each other have windows, labelled by the others' distances")
    func unheard() throws {
        let times = Array(stride(from: 0.0, through: 299, by: 10))
        let recording = recording(times.flatMap { [($0, 0, 2, 1.0), ($0, 1, 2, 0.4)] })
        let windows = ContactWindow.windows(of: recording)
        let pair = try #require(windows.first { $0.first == 0 && $0.second == 1 })
        #expect(pair.packets.isEmpty && pair.labels == [true, true, true, true])
        let heard = try #require(windows.first { $0.first == 0 && $0.second == 2 })
        #expect(heard.packets.count == times.count)
        #expect(heard.medianMetres == 1 && pair.medianMetres == nil && heard.blind.medianMetres == nil)
        #expect(heard.blind.labels == [nil, nil, nil, nil])
        #expect(heard.blind.packets.allSatisfy { $0.metres == nil })
    }

    @Test("The offsets of a receiver that hears too little are found in other scenarios")
    func offsets() throws {
        var packets: [(time: Double, receiver: Int, transmitter: Int, metres: Double?, rssi: Double)] = []
        for index in 0..<6000 {
            let receiver = index % 3
            let transmitter = (receiver + 1 + index / 3 % 2) % 3
            let metres = [1.0, 2, 4][index / 6 % 3]
            // Half and double the distance take 6 dB; the first person hears 8 dB less.
            let rssi = -60 - 6 * [0.0, 1, 2][index / 6 % 3] - (receiver == 0 ? 8 : 0)
            packets.append((Double(index) / 20, receiver, transmitter, metres, rssi))
        }
        let recording = ContactRecording(
            dataSet: "s", scenario: "one", people: ["a", "b", "c"],
            packets: packets.map {
                ContactPacket(
                    time: $0.time, rssi: $0.rssi, receiver: $0.receiver, transmitter: $0.transmitter, metres: $0.metres)
            })
        let offsets = DeviceOffsets(ContactWindow.windows(of: recording))
        let difference =
            offsets.offset(receiver: "a", transmitter: "b") - offsets.offset(receiver: "c", transmitter: "b")
        #expect(abs(difference + 8) < 1)
        #expect(offsets.offset(receiver: "nobody", transmitter: "else") == 0)
    }

    private func recording(_ packets: [(Double, Int, Int, Double)]) -> ContactRecording {
        ContactRecording(
            dataSet: "s", scenario: "one", people: ["a", "b", "c", "d"],
            packets: packets.map { time, receiver, transmitter, metres in
                ContactPacket(time: time, rssi: -70, receiver: receiver, transmitter: transmitter, metres: metres)
            })
    }
}
