import Testing

@testable import Gateway

@Suite("What is typed for emulated modules") struct TypedOrderTests {
    @Test func `Without a number the first module is meant`() {
        #expect(TypedOrder("reset", modules: 2) == .event("reset", module: 0))
        #expect(TypedOrder("type at+rsi_reset", modules: 2) == .command("at+rsi_reset", module: 0))
    }

    @Test func `Modules are counted from 1`() {
        #expect(TypedOrder("unplug 2", modules: 2) == .event("unplug", module: 1))
        #expect(TypedOrder("type 2 at+rsibt_x  1", modules: 2) == .command("at+rsibt_x 1", module: 1))
    }

    @Test(
        "A number that no module has names none, however it is",
        arguments: [
            "0", "3", "-1", "-9223372036854775808", "9223372036854775807", "9223372036854775808", "x", "+", "1x",
        ])
    func noModule(number: String) {
        #expect(TypedOrder("reset \(number)", modules: 2) == .noModule(number))
    }

    @Test(
        "A command to no module isn't sent",
        arguments: ["type", "type 1", "type 0 at", "type 3 at", "type -9223372036854775808 at"])
    func noCommand(line: String) {
        #expect(TypedOrder(line, modules: 2) == .noCommand)
    }

    @Test func `An empty line is nothing`() {
        #expect(TypedOrder("", modules: 1) == nil)
        #expect(TypedOrder("  ", modules: 1) == nil)
    }
}
