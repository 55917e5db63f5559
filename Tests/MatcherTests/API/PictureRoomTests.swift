import HTTPServing
import Testing

@testable import MatcherDaemon

@Suite("Room for pictures of test results") struct PictureRoomTests {
    @Test func `One address does not take the places of all others`() {
        var room = PictureRoom()
        let first = (0..<9).map { _ in room.take("192.0.2.1") }
        #expect(first == [Bool](repeating: true, count: 8) + [false])
        let others = (0..<9).map { room.take("198.51.100.\($0)") }
        #expect(others == [Bool](repeating: true, count: 8) + [false])
    }

    @Test func `A place that is given back can be taken again`() {
        var room = PictureRoom()
        let taken = (0..<PictureRoom.mostOfOne).map { _ in room.take("192.0.2.1") }
        room.giveBack("192.0.2.1")
        let again = room.take("192.0.2.1")
        let tooMany = room.take("192.0.2.1")
        #expect(!taken.contains(false))
        #expect(again && !tooMany)
    }

    @Test func `Clients of a Unix socket, which cannot be told apart, share all places`() {
        var room = PictureRoom()
        let taken = (0..<17).map { _ in room.take(ClientAddress.local) }
        #expect(taken == [Bool](repeating: true, count: 16) + [false])
    }
}
