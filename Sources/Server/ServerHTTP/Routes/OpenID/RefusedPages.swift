import HTTPTypes
import Hummingbird
import OpenID
import SignInPages

/// Pages in place of error bodies, for browsers that have asked for a page.
struct RefusedPages: Sendable {
    private let page: @Sendable (RequestRefusal, PageReader) -> PageAnswer

    init(_ pages: any PageService) {
        page = { pages.refusalPage(PageRefusal($0), reader: $1) }
    }

    init(_ console: ConsolePages) {
        page = { refusal, _ in
            console.messagePage(
                "This does not work", refusal.message, for: nil, status: refusal.status.code)
        }
    }

    /// The page for a refusal, with its status and fields.
    func response(for refusal: RequestRefusal, to request: Request) -> Response {
        let language = FormFields.fields(ofQuery: request.uri.query)?["lang"].flatMap { PageLanguage(rawValue: $0) }
        let reader = PageReader(
            acceptLanguage: request.headers[.acceptLanguage], language: language,
            cookies: BrowserCookies(browser: nil, provider: nil))
        var response = BrowserAnswers.response(page(refusal, reader), status: refusal.status)
        for field in refusal.headers { response.headers[field.name] = field.value }
        return response
    }
}

extension PageRefusal {
    fileprivate init(_ refusal: RequestRefusal) {
        self =
            switch refusal.status {
            case .unauthorized, .notFound: .expired
            case .tooManyRequests: .unavailable
            case let status where status.kind == .serverError: .unavailable
            default: .form
            }
    }
}
