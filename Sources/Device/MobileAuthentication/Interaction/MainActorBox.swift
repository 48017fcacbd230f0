/// Box for an object of the application, which is touched on the main actor only.
///
/// The interaction protocols do not refine `Sendable`, because that would break classes of applications that are not
/// final.
struct MainActorBox<Content>: @unchecked Sendable {
    // Sendable by this rule: the content is stored once and reached on the main actor only. `viewed` reaches it elsewhere, but
    // only converts the reference. Where the last reference is dropped is not ruled, as for every class of an application.
    private let stored: Content

    init(_ content: Content) { stored = content }

    @MainActor var content: Content { stored }

    /// The same object under another type; `view` must do nothing but convert.
    func viewed<Other>(_ view: (Content) -> Other) -> MainActorBox<Other> { MainActorBox<Other>(view(stored)) }
}
