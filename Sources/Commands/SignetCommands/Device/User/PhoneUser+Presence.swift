import MobileAuthentication

/// The operating system asks here; the person is told what for.
extension PhoneUser {
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        tell("Show your finger or face to the sensor.")
        handler.verify()
    }

    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        if let error = context.lastRecoverableError { tell(error.errorDescription ?? "The finger was not recognised.") }
        tell("Put your finger on the sensor.")
        handler.listenForOsCredentials()
    }

    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        let isSecondTime = hasAnswered
        hasAnswered = true
        answer(orElse: handler.cancel) { () async throws(CommandFailure) in
            guard isSecondTime else { return { handler.verify() } }
            // A file says the same again, and every wrong try counts for the account.
            guard !self.hasPasscodeFile else { throw .refused("WrongPasscode", "The passcode was wrong.") }
            self.tell("The passcode was wrong.")
            return { handler.verify() }
        }
    }
}
