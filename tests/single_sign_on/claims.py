"""What the provider of the tests says about somebody: the name that they have at the school."""

from oauth2_provider.oauth2_validators import OAuth2Validator


class Claims(OAuth2Validator):
    oidc_claim_scope = None

    def get_additional_claims(self, request):
        return {"preferred_username": f"{request.user.username}@school.example"}
