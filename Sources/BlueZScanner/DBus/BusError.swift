/// An error in the communication with a D-Bus service.
package enum BusError: Error, Equatable {
    /// There is no bus at the address. The value is the name of libdbus' error.
    case unreachable(String)
    /// The bus closed the connection.
    case lost
    /// The call was not answered within the time allowed.
    case noAnswer(call: String)
    /// The call was answered with the named error.
    case refused(call: String, error: String)
    /// libdbus ran out of memory.
    case outOfMemory
}
