import HTTPTypes
import Octets
import StrictJSON

/// Routes of the phone page: from a request that the guard admits to the phone and back.
struct PhonePageRoutes: Sendable {
    /// Field with the number of the state that the page shows.
    static let knownField = "Signet-Known"
    /// Field with the number of the question that a secret or a picture answers.
    static let questionField = "Signet-Question"

    let guards: PhonePageGuard
    let phone: any PhonePageService

    func reply(to request: PhonePageRequest) async -> PhonePageReply {
        guard let place = PhonePageURL(path: request.path), guards.admits(request, to: place) else {
            return .forbidden
        }
        guard let body = request.body else { return .refused(.tooLarge) }
        if let type = place.bodyType, request.only("Content-Type") != type { return .refused(.malformed) }
        switch place {
        case .entry: return entrance
        case .handOver: return Self.html(PhonePageDocument.handOver)
        case .document: return Self.html(PhonePageDocument.page(token: nil))
        case .style: return PhonePageReply(.ok, "text/css; charset=utf-8", PackageResources.page_css)
        case .script: return PhonePageReply(.ok, "text/javascript; charset=utf-8", PackageResources.page_js)
        case .texts: return PhonePageReply(.ok, "text/javascript; charset=utf-8", PackageResources.texts_js)
        case .state: return await state(request)
        case .action, .secret, .scan: return await acted(place, body, request)
        }
    }

    /// Page with its token, and the cookie; the only time that either is given out.
    private var entrance: PhonePageReply {
        let holder = guards.secrets.holder
        return PhonePageReply(
            .ok, "text/html; charset=utf-8",
            PhonePageDocument.page(token: guards.secrets.page).utf8,
            cookieField: { "\(PhonePageGuard.cookieName)=\(holder.reveal()); Path=/; HttpOnly; SameSite=Strict" })
    }

    private func state(_ request: PhonePageRequest) async -> PhonePageReply {
        let state = await phone.state(unlike: request.only(Self.knownField).flatMap { UInt64($0) })
        return PhonePageReply(.ok, "application/json", state.body)
    }

    private func acted(_ place: PhonePageURL, _ body: [UInt8], _ request: PhonePageRequest) async -> PhonePageReply {
        let question = request.only(Self.questionField).flatMap { UInt64($0) }
        do throws(PhonePageRefusal) {
            switch place {
            case .secret: try await provide(body, answering: question)
            case .scan: try await phone.perform(.scan(body), answering: nil)
            default: try await phone.perform(try PhonePageAction(json: body), answering: question)
            }
            return .done
        } catch {
            return .refused(error)
        }
    }

    private func provide(_ body: [UInt8], answering question: UInt64?) async throws(PhonePageRefusal) {
        guard let question, (1...1_024).contains(body.count) else { throw .malformed }
        try await phone.provide(SecretOctets(copying: body), answering: question)
    }

    private static func html(_ text: String) -> PhonePageReply {
        PhonePageReply(.ok, "text/html; charset=utf-8", text.utf8)
    }
}
