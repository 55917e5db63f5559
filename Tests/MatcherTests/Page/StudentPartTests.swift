import Testing

@testable import MatcherDaemon

@Suite("Parts of a list of students") struct StudentPartTests {
    @Test("The parts follow each other, and have every student once") func chain() {
        for count in [1, 29, 30, 31, 60, 61] {
            var part = StudentPart(with: 0, of: count, most: 30)
            var shown = Array(part.range)
            #expect(part.previous == nil)
            while let next = part.next, shown.count < count {
                let following = StudentPart(with: next, of: count, most: 30)
                #expect(following.previous == part.range.lowerBound)
                part = following
                shown += part.range
            }
            #expect(part.next == nil)
            #expect(shown == Array(0..<count))
        }
    }

    @Test("A student's place anywhere in a part means that part") func place() {
        #expect(StudentPart(with: 59, of: 70, most: 30).range == 30..<60)
        #expect(StudentPart(asked: "59", of: 70, most: 30).extent == "Students 31 to 60 of 70.")
        #expect(StudentPart(asked: nil, of: 70, most: 30).words == "students 1 to 30 of 70")
    }

    @Test("A list without students is one empty part") func empty() {
        for place in [Int.min, 0, 1, Int.max] {
            let part = StudentPart(with: place, of: 0, most: 30)
            #expect(part.range.isEmpty && part.previous == nil && part.next == nil && part.extent == nil)
        }
    }
}
