"""Models and weights from the network: nothing is fetched, so nothing is known of them."""

import _tensorvet


def load(repo_or_dir, model, *arguments, **options):
    return _tensorvet.unknown("a model of torch.hub")


def load_state_dict_from_url(url, *arguments, **options):
    return _tensorvet.unknown("weights from the network", "dict")


def download_url_to_file(url, dst, *arguments, **options):
    return None


def set_dir(d):
    return None


def get_dir():
    return "hub"
