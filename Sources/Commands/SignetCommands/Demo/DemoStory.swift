import ArgumentParser

/// The stories that can be played.
enum DemoStory: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Registration, authentication, the attacks that fail, deregistration.
    case first

    /// One line about the story.
    var summary: String {
        switch self {
        case .first: "a phone registers and signs in with a PIN, attacks fail, the phone is deregistered"
        }
    }
}
