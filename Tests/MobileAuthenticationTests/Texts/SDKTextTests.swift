import Foundation
import Testing

@testable import MobileAuthentication

@Suite("Texts for users")
struct SDKTextTests {
    @Test(
        "The first language of the user that there are texts in is taken",
        arguments: [
            (["de-CH", "en"], SDKLanguage.german), (["rm-CH", "it_CH"], .italian), (["fr_FR.UTF-8"], .french),
            (["ja"], .english), ([], .english), (["EN-us"], .english), (["defr"], .english),
        ])
    func preference(tags: [String], language: SDKLanguage) {
        #expect(SDKLanguage.preferred(among: tags) == language)
    }

    @Test("Every FIDO code has a text of its own in every language")
    func fidoCodes() {
        for language in SDKLanguage.allCases {
            let texts = FidoErrorCode.allCases.map { $0.text.text(in: language) }
            #expect(Set(texts).count == texts.count)
            #expect(texts.allSatisfy { $0.hasSuffix(".") })
        }
    }

    @Test("No text is the same in two languages")
    func translations() {
        let texts: [SDKText] =
            FidoErrorCode.allCases.map(\.text) + [
                .unreachableServer, .unexpectedAnswer, .noDeviceLock, .registerAgain, .setDeviceLock, .tryAgain,
                .wrongPin, .samePin,
                .guessablePin, .wrongPassword, .samePassword, .unusablePassword, .unrecognizedFinger, .confirmIdentity,
                .pinDigits(6), .pinDigitRange(4, 8), .malformedPayload, .undecryptable, .alreadyRedeemed, .tokenExpired,
                .nameInUse, .unknownDevice, .deviceNotAccepted, .scanAgain, .chooseAnotherName,
                .authenticatorOnlyAtServer, .authenticatorOnlyHere, .recordOnlyAtServer, .recordOnlyHere, .namesDiffer,
                .pushTokensDiffer, .linkingDigits(2), .noHardware, .hardwareWaysOut,
            ]
        for text in texts { #expect(Set(SDKLanguage.allCases.map(text.text(in:))).count == 4) }
    }

    @Test("Numbers stand in the text")
    func numbers() {
        for language in SDKLanguage.allCases {
            let text = SDKText.pinDigitRange(4, 64).text(in: language)
            #expect(text.contains("4") && text.contains("64"))
        }
    }

    @Test("Errors speak the language of the user and say what helps")
    func errors() {
        #expect(PinChangeError.PinLocked(cause: nil).errorDescription == SDKText.pinLocked.localized)
        #expect(PinChangeError.PinLocked(cause: nil).recoverySuggestion == SDKText.registerAgain.localized)
        #expect(OperationError.NoDeviceLockError(cause: nil).recoverySuggestion == SDKText.setDeviceLock.localized)
        #expect(OperationError.ClockSkewTooBig(cause: nil).recoverySuggestion == SDKText.setClock.localized)
        #expect(PasswordChangeError.UserCanceled(cause: nil).isUserCancellation)
        #expect((PinChangeError.PinNotEnrolled(cause: nil) as NSError).code == 41)
        #expect((PasswordChangeError.PasswordLocked(cause: nil) as NSError).domain.hasSuffix("PasswordChangeError"))
        let gone = PinChangeError.Unknown(cause: FidoFailure(code: .keyDisappearedPermanently))
        #expect(gone.fidoErrorCode == .keyDisappearedPermanently)
        #expect(gone.recoverySuggestion == SDKText.registerAgain.localized)
    }
}
