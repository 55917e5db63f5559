/// What can go wrong between this process and a D-Bus service.
package enum BusError: Error, Equatable {
    /// There is no bus at the address; the name of libdbus' error.
    case unreachable(String)
    /// The bus closed the connection.
    case lost
    /// No answer within the time allowed.
    case noAnswer(call: String)
    /// The call was answered by an error with this name.
    case refused(call: String, error: String)
    /// libdbus found no memory.
    case outOfMemory
}
