import BeaconModel
import Testing

@testable import MatcherCore

@Suite("Keys of Exposure Notification") struct ExposureKeyTests {
    // The vectors that Google and Apple published with the Cryptography Specification 1.2: the key of 2020-04-02, of which
    // the first interval is 2642976. The last one was computed with Python's hmac and openssl besides.
    @Test(arguments: [
        (0, "8be6cd371c5c891604bfbe49df845096"), (1, "3c9a1de5dd6b02afa7fded7b570b3e56"),
        (143, "f431b62ecf443102ce4ed0407de54bd4"),
    ])
    func `A key gives the identifier of each interval`(offset: UInt32, identifier: String) {
        let key = ExposureKey(bytes: [
            0x75, 0xC7, 0x34, 0xC6, 0xDD, 0x1A, 0x78, 0x2D, 0xE7, 0xA9, 0x65, 0xDA, 0x5E, 0xB9, 0x31, 0x25,
        ])
        #expect(key.identifier(ofInterval: 2_642_976 + offset).description == identifier)
    }
}
