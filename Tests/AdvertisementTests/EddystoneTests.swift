import Advertisement
import BeaconModel
import Testing

/// Vectors: github.com/google/eddystone, the section "Frame Specification" of each frame.
@Suite("Eddystone")
struct EddystoneTests {
    private func decodeFrame(_ frame: [UInt8]) -> AdvertisingData.Decoded {
        decode(Payload.eddystoneList + Payload.eddystone(frame))
    }

    @Test("A UID has namespace, instance and power, with and without the reserved bytes", arguments: [18, 20])
    func uid(length: Int) {
        let decoded = decodeFrame(Array(Payload.uidFrame.prefix(length)))
        guard case .eddystoneUID(let uid, let power)? = decoded.identity else {
            Issue.record("\(decoded)")
            return
        }
        #expect(uid.namespace == "8b0ca750095477cb3e77")
        #expect(uid.instance == "010203040506")
        #expect(power == -18)
        #expect(decoded.defect == nil)
    }

    @Test("The specification's link is read")
    func url() {
        guard case .eddystoneURL(let link)? = decodeFrame(Payload.urlFrame).identity else {
            Issue.record("no link")
            return
        }
        #expect(link.description == "https://goo.gl/Aq18zF")
        #expect(link.txPower == 18)
    }

    @Test("Every scheme and every expansion has its text")
    func urlTexts() {
        let texts =
            [".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/"]
            + [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
        for (scheme, prefix) in ["http://www.", "https://www.", "http://", "https://"].enumerated() {
            for (code, text) in texts.enumerated() {
                let identity = decodeFrame([0x10, 0x00, UInt8(scheme), 0x61, UInt8(code)]).identity
                guard case .eddystoneURL(let link)? = identity else {
                    Issue.record("no link with scheme \(scheme) and code \(code)")
                    continue
                }
                #expect(link.description == prefix + "a" + text)
            }
        }
    }

    @Test("A link has 0 to 17 bytes, all of which are kept")
    func urlLengths() {
        let letters = Array("abcdefghijklmnopqr".utf8)
        for length in 0...17 {
            let text = String(decoding: letters.prefix(length), as: UTF8.self)
            let identity = decodeFrame([0x10, 0x00, 0x02] + letters.prefix(length)).identity
            guard case .eddystoneURL(let link)? = identity else {
                Issue.record("no link of \(length) bytes")
                continue
            }
            #expect(link.description == "http://" + text)
        }
        #expect(decodeFrame([0x10, 0x00, 0x02] + letters) == .init(defect: .wrongEddystoneLength))
    }

    @Test("A scheme or a byte that the format doesn't have is counted")
    func invalidURL() {
        for scheme in 4...255 {
            let decoded = decodeFrame([0x10, 0x00, UInt8(scheme), 0x61])
            #expect(decoded == .init(defect: .invalidEddystoneURL))
        }
        for byte in Array(0x0E...0x20) + Array(0x7F...0xFF) {
            let decoded = decodeFrame([0x10, 0x00, 0x00, 0x61, UInt8(byte)])
            #expect(decoded == .init(defect: .invalidEddystoneURL))
        }
    }

    @Test("Telemetry is read in its units")
    func telemetry() {
        guard case .eddystoneTLM(.plain(let plain))? = decodeFrame(Payload.tlmFrame).identity else {
            Issue.record("no telemetry")
            return
        }
        #expect(plain.batteryMillivolts == 3000)
        #expect(plain.temperature == 22.5)
        #expect(plain.advertisements == 100)
        #expect(plain.uptime == .seconds(1000))
    }

    @Test("Battery 0 and -128 degrees say that a beacon doesn't measure them")
    func unmeasured() {
        var frame = Payload.tlmFrame
        frame.replaceSubrange(2..<6, with: [0x00, 0x00, 0x80, 0x00])
        guard case .eddystoneTLM(.plain(let plain))? = decodeFrame(frame).identity else {
            Issue.record("no telemetry")
            return
        }
        #expect(plain.batteryMillivolts == nil)
        #expect(plain.temperature == nil)
    }

    @Test("Encrypted telemetry is recognised")
    func encrypted() {
        #expect(decodeFrame(Payload.encryptedTLMFrame) == .init(identity: .eddystoneTLM(.encrypted)))
    }

    @Test("An ephemeral identifier is read")
    func ephemeral() {
        let expected = AdvertisedIdentity.eddystoneEID(0x0123_4567_89AB_CDEF, txPower: -18)
        #expect(decodeFrame(Payload.eidFrame) == .init(identity: expected))
    }

    @Test("A frame of another length than its type has is counted")
    func wrongLengths() {
        let frames = [
            (Payload.uidFrame, [18, 20]), (Payload.tlmFrame, [14]), (Payload.encryptedTLMFrame, [18]),
            (Payload.eidFrame, [10]),
        ]
        for (frame, lengths) in frames {
            let long = frame + [0x00, 0x00, 0x00]
            for length in 0...long.count where !lengths.contains(length) {
                #expect(decodeFrame(Array(long.prefix(length))) == .init(defect: .wrongEddystoneLength))
            }
        }
        for length in 1..<3 {
            #expect(decodeFrame(Array(Payload.urlFrame.prefix(length))) == .init(defect: .wrongEddystoneLength))
        }
    }

    @Test(
        "Frames and versions that aren't known are nobody's", arguments: [[UInt8(0x40), 0x00], [0x20, 0x02], [0xFF]])
    func unknown(frame: [UInt8]) {
        #expect(decodeFrame(frame) == .init())
    }

    @Test("Two different beacons in one advertisement are counted")
    func contradiction() {
        var other = Payload.uidFrame
        other[5] ^= 1
        let data = Payload.eddystone(Payload.uidFrame) + Payload.eddystone(other)
        #expect(decode(data).defect == .contradictoryIdentities)
        #expect(decode(Payload.eddystone(Payload.uidFrame) + Payload.eddystone(Payload.eidFrame)).defect == nil)
    }

    @Test("Nobody of them is followed")
    func subjects() {
        for frame in [Payload.uidFrame, Payload.urlFrame, Payload.tlmFrame, Payload.eidFrame] {
            let identity = decodeFrame(frame).identity
            #expect(identity != nil)
            #expect(identity?.subject(address: BluetoothAddress(bits: 1)) == nil)
        }
    }
}
