/// What people do in a day.
struct Behaviour: Sendable {
    /// Those who sit side by side work together.
    var teamSize = 6
    /// The share of the time for which meeting rooms are asked for, and of those who go to lunch with their team.
    var meetings = 0.6
    var lunch = 0.85
    /// How often people come to somebody else's desk, and stand in the corridor, beside those of the offices.
    var visits = 1.0
    var talks = 1.0
    /// What takes the place of desks, meetings and lunches; `nil`: nothing.
    var lectures: Lectures?

    /// A timetable for people who mostly don't know each other.
    struct Lectures: Sendable {
        /// Seconds from one to the next, and for how long each lasts.
        var period = 6300
        var length = 5400
        /// The share of the lectures that somebody attends.
        var attendance = 0.7
        /// Who is in the same programme is mostly in the same hall.
        var programmes = 5
        var faithfulness = 0.75
        /// The share of the lectures that are held in seminar rooms.
        var seminars = 0.12
        /// Those who come and sit together, at most.
        var companions = 3
        /// The share of those who stay where they are in a break.
        var staying = 0.4
    }
}
