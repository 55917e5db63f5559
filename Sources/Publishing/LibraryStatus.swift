/// A status of libmosquitto (`enum mosq_err_t` of mosquitto.h), with the library's description.
package struct LibraryStatus: Equatable, Sendable {
    package var number: Int32
    /// The library's description; empty if it was not requested.
    package var words: String

    package init(_ number: Int32, words: String = "") {
        self.number = number
        self.words = words
    }

    package static func == (one: LibraryStatus, other: LibraryStatus) -> Bool { one.number == other.number }

    package static let protocolError = LibraryStatus(2)
    package static let invalidInput = LibraryStatus(3)
    package static let connectionLost = LibraryStatus(7)
    package static let payloadTooLarge = LibraryStatus(9)
    package static let unknownHost = LibraryStatus(15)
    package static let malformedUTF8 = LibraryStatus(18)
    package static let keepAlive = LibraryStatus(19)
    package static let malformedPacket = LibraryStatus(21)
    package static let qualityOfServiceNotSupported = LibraryStatus(24)
    package static let oversizePacket = LibraryStatus(25)
}
