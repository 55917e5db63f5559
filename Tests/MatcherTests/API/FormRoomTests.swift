import Testing

@testable import MatcherDaemon

@Suite("Room for large forms") struct FormRoomTests {
    private static let form = 4 * 1_048_576

    @Test func `Strangers have room for a few forms, and take none from those who may use a route`() {
        var room = FormRoom()
        let strangers = (0..<9).map { _ in room.take(Self.form, isAllowed: false) }
        #expect(strangers == [Bool](repeating: true, count: 8) + [false])
        let allowed = (0..<65).map { _ in room.take(Self.form, isAllowed: true) }
        #expect(allowed == [Bool](repeating: true, count: 64) + [false])
    }

    @Test func `What is given back can be taken again, and what was refused takes nothing`() {
        var room = FormRoom()
        let first = room.take(FormRoom.ofStrangers, isAllowed: false)
        room.giveBack(FormRoom.ofStrangers, isAllowed: false)
        let second = room.take(FormRoom.ofStrangers, isAllowed: false)
        let tooMuch = room.take(FormRoom.ofAllowed + 1, isAllowed: true)
        let all = room.take(FormRoom.ofAllowed, isAllowed: true)
        #expect([first, second, tooMuch, all] == [true, true, false, true])
    }
}
