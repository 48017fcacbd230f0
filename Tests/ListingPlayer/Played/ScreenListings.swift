import MobileAuthentication

// Screens of an application, as the documentation comments of the SDK show them, and the parts that they leave out.

/// Button that ends what runs.
@MainActor
final class StopButton {
    var action: (() -> Void)?
}

/// Menu of authenticators, in which the user chooses as a closure says.
@MainActor
final class Menu {
    private let choose: ([String]) -> String?

    init(_ choose: @escaping ([String]) -> String?) { self.choose = choose }

    func show(_ aaids: [String], _ answer: (String?) -> Void) { answer(choose(aaids)) }
}

/// Keys on a screen, on which the user types what a closure says.
@MainActor
final class Keypad {
    private let type: (String) -> String

    init(_ type: @escaping (String) -> String) { self.type = type }

    func ask(_ question: String, _ answer: (String) -> Void) { answer(type(question)) }
}

// Listing: AuthenticatorSelection.swift

// Listing: PinEnrollment.swift

// Listing: PinPolicy.swift

// Listing: PasswordEnrollment.swift

// Listing: BiometricUserVerification.swift

// Listing: ChannelLinker.swift

// Listing: SDKLog.swift
