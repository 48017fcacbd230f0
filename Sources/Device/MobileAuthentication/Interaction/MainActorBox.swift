/// Box for an object of the application, which is touched on the main actor only.
///
/// The interaction protocols do not refine `Sendable`, because that would break classes of applications that are not
/// final.
struct MainActorBox<Content>: @unchecked Sendable {
    // Sendable: the content is stored once and read on the main actor only.
    private let stored: Content

    init(_ content: Content) {
        stored = content
    }

    @MainActor var content: Content { stored }

    /// The same object under another type; `view` must do nothing but convert.
    func viewed<Other>(_ view: (Content) -> Other) -> MainActorBox<Other> { MainActorBox<Other>(view(stored)) }
}
