import Foundation
import MobileAuthentication
import StrictJSON

/// Outcome of the last operation, until the next one begins.
struct PhonePageNotice: Sendable, Hashable {
    /// Word for the texts of the page.
    enum Word: String, Sendable, Hashable {
        case registered, confirmed, deregistered, denied, reported, secretChanged, renamed, lost, locked, ended, failed
    }

    let word: Word
    var names: [String] = []
    /// Sentence of the SDK about a failure; never with a secret.
    var sentence: String?

    init(_ word: Word, names: [String] = []) {
        self.word = word
        self.names = names
    }

    /// A failure; a cancellation is one only when the person has not denied.
    init(_ error: any Error, denial: Bool?) {
        let known = error as? any MobileAuthenticationClientError
        if let denial, Self.isCancellation(error) {
            word = denial ? .reported : .denied
        } else if known?.fidoErrorCode == .userLockout || Self.isLock(error) {
            word = .locked
        } else if known?.fidoErrorCode == .userNotResponsive {
            word = .ended
        } else {
            word = .failed
        }
        sentence = known.map { error in
            let cause = error.cause as? StoredKeysError
            let parts = [
                cause?.errorDescription ?? error.errorDescription,
                cause?.recoverySuggestion ?? error.recoverySuggestion,
            ]
            return parts.compactMap(\.self).joined(separator: " ")
        }
    }

    private static func isCancellation(_ error: any Error) -> Bool {
        (error as? any MobileAuthenticationClientError)?.isUserCancellation ?? false
    }

    private static func isLock(_ error: any Error) -> Bool {
        switch error {
        case PinChangeError.PinLocked, PasswordChangeError.PasswordLocked: true
        default: false
        }
    }

    var json: JSONValue {
        .object([
            "word": .string(word.rawValue), "names": .array(names.map { .string(PhonePageText.name($0)) }),
            "sentence": sentence.map { .string(PhonePageText.shown($0.utf8)) },
        ])
    }
}
