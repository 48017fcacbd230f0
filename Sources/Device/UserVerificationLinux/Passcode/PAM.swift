import CPAM
import HardwareKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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

    /// Result of the transaction, and the last code for pam_end.
    private func ask(_ handle: OpaquePointer, _ conversation: PAMConversation) -> (PAMAnswer, Int32) {
        let flags = Int32(PAM_SILENT | PAM_DISALLOW_NULL_AUTHTOK)
        let authentication = pam_authenticate(handle, flags)
        guard !conversation.isOverwhelmed else { return (.impossible(.questionNotUnderstood), authentication) }
        guard authentication == PAM_SUCCESS else { return (PAMAnswer(authentication: authentication), authentication) }
        // A user who gets in unasked has shown nothing.
        guard conversation.questions > 0 else { return (.impossible(.passcodeNotSet), authentication) }
        let account = pam_acct_mgmt(handle, flags)
        return (PAMAnswer(account: account), account)
    }
}

/// PAM conversation function: answers hidden prompts of the modules with the passcode, and any other with nothing.
///
/// It lives on the thread of the transaction. What it hands out are copies in the memory of C, which PAM and its
/// modules overwrite and free.
final class PAMConversation {
    /// Modules that do not pass a passcode on ask once each; more than this is a loop.
    private static let questionLimit = 4

    private let passcode: Passcode
    /// Number of times the passcode was asked for.
    private(set) var questions = 0
    /// Whether something else was asked.
    private(set) var isOverwhelmed = false

    init(_ passcode: Passcode) { self.passcode = passcode }

    /// The form in which PAM takes it; it is not retained.
    func callback() -> pam_conv {
        pam_conv(
            conv: { count, messages, responses, conversation in
                guard let messages, let responses, let conversation else { return PAM_CONV_ERR }
                return Unmanaged<PAMConversation>.fromOpaque(conversation).takeUnretainedValue().answer(
                    UnsafeBufferPointer(start: messages, count: Int(count)), in: responses)
            }, appdata_ptr: Unmanaged.passUnretained(self).toOpaque())
    }

    private func answer(
        _ messages: UnsafeBufferPointer<UnsafePointer<pam_message>?>,
        in responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>
    ) -> Int32 {
        guard (1...Int(PAM_MAX_NUM_MSG)).contains(messages.count),
            let room = calloc(messages.count, MemoryLayout<pam_response>.stride)
        else { return PAM_CONV_ERR }
        let answers = UnsafeMutableBufferPointer(
            start: room.bindMemory(to: pam_response.self, capacity: messages.count), count: messages.count)
        for (index, message) in messages.enumerated() {
            guard fill(&answers[index], for: message?.pointee.msg_style) else {
                takeBack(answers)
                return PAM_CONV_ERR
            }
        }
        responses.pointee = answers.baseAddress
        return PAM_SUCCESS
    }

    /// Writes the answer to one message; false for a question that has none.
    private func fill(_ response: inout pam_response, for style: Int32?) -> Bool {
        switch style {
        case PAM_TEXT_INFO, PAM_ERROR_MSG: return true
        case PAM_PROMPT_ECHO_OFF where questions < Self.questionLimit:
            guard let copy = calloc(passcode.count + 1, 1) else { return false }
            passcode.withUnsafeBytes { copy.copyMemory(from: $0) }
            response.resp = copy.assumingMemoryBound(to: CChar.self)
            questions += 1
            return true
        default:
            isOverwhelmed = true
            return false
        }
    }

    private func takeBack(_ answers: UnsafeMutableBufferPointer<pam_response>) {
        for case let copy? in answers.map(\.resp) {
            explicit_bzero(copy, passcode.count)
            free(copy)
        }
        free(answers.baseAddress)
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        copyMemory(from: start, byteCount: bytes.count)
    }
}

/// Result of a passcode verification by PAM.
enum PAMAnswer: Hashable, Sendable {
    case verified
    case refused(UserPresenceError)
    case impossible(VerificationProblem)

    /// The answer to pam_authenticate.
    init(authentication code: Int32) {
        switch code {
        case PAM_SUCCESS: self = .verified
        case PAM_AUTH_ERR, PAM_PERM_DENIED: self = .refused(.mismatch)
        case PAM_MAXTRIES: self = .refused(.lockedOut)
        default: self.init(failure: code)
        }
    }

    /// The answer to pam_acct_mgmt, after the passcode was right.
    init(account code: Int32) {
        switch code {
        case PAM_SUCCESS: self = .verified
        case PAM_MAXTRIES: self = .refused(.lockedOut)
        default: self.init(failure: code)
        }
    }

    /// Maps a code that neither step counts as an ordinary answer.
    init(failure code: Int32) {
        switch code {
        case PAM_USER_UNKNOWN: self = .impossible(.accountUnknown)
        case PAM_NEW_AUTHTOK_REQD, PAM_AUTHTOK_EXPIRED, PAM_ACCT_EXPIRED, PAM_CRED_EXPIRED:
            self = .impossible(.passcodeExpired)
        default: self = .impossible(.serviceBroken(code: code))
        }
    }
}
