import FuzzDriver

@testable import ParserChecks

Driver.run { start, count in
    Driver.conclude(MultipartFormCheck.violation(for: Array(UnsafeBufferPointer(start: start, count: count))))
}
