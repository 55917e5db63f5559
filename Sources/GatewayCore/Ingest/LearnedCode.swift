package import BeaconModel
package import HCI

/// A phone's code, with the time at which the phone gave it.
package struct LearnedCode: Equatable, Sendable {
    package var peer: ExchangePeer
    package var code: UInt64
    package var time: Timestamp

    package init(peer: ExchangePeer, code: UInt64, time: Timestamp) {
        self.peer = peer
        self.code = code
        self.time = time
    }
}
