import ArgumentParser

/// The stories that can be played.
enum DemoStory: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Registration, authentication, the attacks that fail, deregistration.
    case signIn = "sign-in"
    /// Everything that is begun on one screen and answered on a phone.
    case outOfBand = "out-of-band"

    /// What to see after this one.
    var other: DemoStory { self == .signIn ? .outOfBand : .signIn }

    /// One line about the story.
    var summary: String {
        switch self {
        case .signIn: "a phone registers and signs in with a PIN, attacks fail, the phone is deregistered"
        case .outOfBand:
            "a laptop begins, a phone confirms: QR code, push with digits, a payment, and what can go wrong"
        }
    }
}
