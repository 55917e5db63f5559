import FuzzDriver

@testable import ParserChecks

Driver.run { start, count in
    Driver.conclude(PeopleFileCheck.violation(for: Array(UnsafeBufferPointer(start: start, count: count))))
}
