import CPAM

/// One conversation with PAM from start to end; it blocks, also for the seconds that PAM waits after a wrong passcode.
struct PAMTransaction {
    let service: PAMService
    let account: String

    /// Checks the passcode, then whether the account may be used.
    func verify(_ passcode: Passcode) -> PAMAnswer {
        let conversation = PAMConversation(passcode)
        var callback = conversation.callback()
        var handle: OpaquePointer?
        let started =
            if let folder = service.folder {
                pam_start_confdir(service.name, account, &callback, folder, &handle)
            } else {
                pam_start(service.name, account, &callback, &handle)
            }
        guard started == PAM_SUCCESS, let handle else { return .impossible(.serviceBroken(code: started)) }
        // PAM knows the conversation by its address only.
        let (answer, last) = withExtendedLifetime(conversation) { ask(handle, conversation) }
        pam_end(handle, last)
        return passcode.isEmpty && answer == .verified ? .impossible(.passcodeNotSet) : answer
    }

    /// What it comes to, and the last code for pam_end.
    private func ask(_ handle: OpaquePointer, _ conversation: PAMConversation) -> (PAMAnswer, Int32) {
        let flags = Int32(PAM_SILENT | PAM_DISALLOW_NULL_AUTHTOK)
        let authentication = pam_authenticate(handle, flags)
        guard !conversation.isOverwhelmed else { return (.impossible(.questionNotUnderstood), authentication) }
        guard authentication == PAM_SUCCESS else { return (PAMAnswer(authentication: authentication), authentication) }
        // Whoever gets in unasked has shown nothing.
        guard conversation.questions > 0 else { return (.impossible(.passcodeNotSet), authentication) }
        let account = pam_acct_mgmt(handle, flags)
        return (PAMAnswer(account: account), account)
    }
}
