import Testing

@testable import MatcherCore

@Suite("Codes of C19X") struct C19XCodesTests {
    // Computed with Python's hashlib and struct from the derivation in the app's sources: for the secret 00 01 ... 1F and a
    // calendar of five days.
    @Test func `A secret gives the codes of days, each the hash of the next`() {
        #expect(
            C19XCodes.dayCodes(secret: Array(0..<32), count: 5) == [
                -3_428_734_332_791_768_831, -3_531_927_998_068_142_907, 5_621_906_528_420_506_449,
                3_398_101_490_521_936_118, 7_137_586_562_153_591_654,
            ])
    }

    @Test func `A day's code gives the seed that is published, and the seed gives the day's beacon codes`() {
        #expect(C19XCodes.seed(dayCode: 5_621_906_528_420_506_449) == -8_276_111_657_972_024_204)
        let codes = C19XCodes.beaconCodes(seed: -8_276_111_657_972_024_204)
        #expect(codes.count == 240)
        #expect(codes[0] == -5_346_978_095_784_067_739)
        #expect(codes[1] == 8_177_224_165_026_323_053)
        #expect(codes[239] == 3_952_355_166_939_242_278)
    }

    // Python: base64.urlsafe_b64encode(hashlib.sha256(b"beacon-positive/1/phone/abc").digest()[:16])
    @Test func `An id is published as a hash`() {
        #expect(PositiveScheme.digest(kind: "phone", id: "abc") == "IFFXYma2fytsRxPAkPXx9A")
    }
}
