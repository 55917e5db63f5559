import Testing

@testable import Publishing

@Suite struct RefusalNotesTests {
    @Test("The first refusal for a reason is logged at once, and a minute's further ones are in one line")
    func limit() {
        var notes = RefusalNotes()
        let start = ContinuousClock.now
        #expect(notes.add(0x99, at: start) == 1)
        #expect(notes.add(0x90, at: start) == 1)
        for second in 1...59 { #expect(notes.add(0x99, at: start + .seconds(second)) == nil) }
        #expect(notes.add(0x99, at: start + .seconds(60)) == 60)
        #expect(notes.add(0x99, at: start + .seconds(61)) == nil)
    }
}
