import { runService } from '@sevenfold/chassis/service';
import { variables } from './config';
import { seoService } from './service';

void runService(seoService, variables, process.env);
