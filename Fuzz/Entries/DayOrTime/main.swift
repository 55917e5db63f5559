import Driver

@testable import Checks

Driver.run { start, count in
    Driver.conclude(DayOrTimeCheck.violation(for: Array(UnsafeBufferPointer(start: start, count: count))))
}
